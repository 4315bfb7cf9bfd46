module example

go 1.23

require arbitration.example/platform/client v1.0.0

replace arbitration.example/platform/client => ../client
