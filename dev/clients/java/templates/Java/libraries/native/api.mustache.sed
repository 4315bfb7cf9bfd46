# What stands beside an uploaded file is sent in UTF-8: its texts, for which httpmime takes Latin-1, and its name, of which it takes ASCII.
s/\(addTextBody("{{{baseName}}}", .*\.toString()\));/\1, org.apache.http.entity.ContentType.create("text\/plain", java.nio.charset.StandardCharsets.UTF_8));/
s/MultipartEntityBuilder\.create();/MultipartEntityBuilder.create().setMode(org.apache.http.entity.mime.HttpMultipartMode.RFC6532);/
