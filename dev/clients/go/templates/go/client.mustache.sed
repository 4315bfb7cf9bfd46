# An answer that is one sentence comes without the quotes of its JSON.
s/^\tif s, ok := v.(\*string); ok {$/\tif s, ok := v.(*string); ok \&\& JsonCheck.MatchString(contentType) {\n\t\treturn json.Unmarshal(b, s)\n\t}\n&/
