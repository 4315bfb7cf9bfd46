# For checkers of types an alias is the name of the argument, CreateCaseRequest(ruleSet=…), whereas the field is rule_set. Said as two aliases, one
# to read by and one to write by, it is the name on the wire alone.
s/, alias=\("[^"]*"\)/, validation_alias=\1, serialization_alias=\1/
s/Field(alias=\("[^"]*"\)/Field(validation_alias=\1, serialization_alias=\1/
