# What is published is formatted, and go vet finds nothing.
test -z "$(gofmt -l target/clients/go/client)"
(cd target/clients/go/client && go vet ./...)
# An empty project gets the module from a proxy, as everybody does.
mkdir "$folder/go-project" && cp src/test/clients/go/main.go "$folder/go-project/" && cd "$folder/go-project"
export GOPROXY="file://$folder/proxy" GOSUMDB=off GOMODCACHE="$folder/go-modules" GOFLAGS=-modcacherw
go mod init example.org/trial 2>/dev/null
go get arbitration.example/platform/client@v1.0.0 2>&1
go vet .
go run . "$url" "$cut" "$control"
