Version 1
