"""`python -m beatnote`."""

from beatnote.cli.main import main

main()
