# The parser of dates takes 2.3 MB. Models read their dates without it, so it is loaded when an answer is a date alone.
/^from dateutil.parser import parse$/d
s/^            return parse(string)/            from dateutil.parser import parse\n&/
