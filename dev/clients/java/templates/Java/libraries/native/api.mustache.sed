# What stands beside an uploaded file is sent in UTF-8: its texts, for which httpmime takes Latin-1, and its name, of which it takes ASCII.
s/\(addTextBody("{{{baseName}}}", .*\.toString()\));/\1, org.apache.http.entity.ContentType.create("text\/plain", java.nio.charset.StandardCharsets.UTF_8));/
s/MultipartEntityBuilder\.create();/MultipartEntityBuilder.create().setMode(org.apache.http.entity.mime.HttpMultipartMode.RFC6532);/
# Refusals are read into the exception of the library beside the generated code.
s/return new ApiException(response\.statusCode(), message, response\.headers(), body);/return {{invokerPackage}}.PlatformException.of(response.statusCode(), response.headers(), body);/
s/throw new ApiException(e);/throw {{invokerPackage}}.PlatformException.of(e);/
# The name of a downloaded file is the last part of what the header says, so that none leaves its folder.
s/tempDir\.resolve(filename)/tempDir.resolve(new java.io.File("file", filename).getName())/
