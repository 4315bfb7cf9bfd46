# Every answer other than 2xx is a PlatformError (errors.go), in place of code for each status of each operation.
/^\tif localVarHTTPResponse.StatusCode >= 300 {$/,/^\t}$/{/^\t\t/d}
s/^\tif localVarHTTPResponse.StatusCode >= 300 {$/&\n\t\treturn {{#returnType}}localVarReturnValue, {{\/returnType}}localVarHTTPResponse, newPlatformError(localVarHTTPResponse, localVarBody)/
# A body that may be left out and is left out is not sent as null.
s/^\tlocalVarPostBody = r.{{paramName}}$/\tif r.{{paramName}} != nil {\n\t&\n\t}/
