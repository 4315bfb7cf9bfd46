// Kubernetes' API server with its etcd, and kubectl, as their projects publish them, in one program for a test:
// kubernetes serve FOLDER ETCD_PORT ETCD_PEER_PORT OPTION… with the options of kube-apiserver, or kubernetes kubectl ARGUMENT….
package main

import (
	"log"
	"net/url"
	"os"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	kubectl "k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func startEtcd(folder, port, peerPort string) {
	config := embed.NewConfig()
	config.Dir = folder
	config.LogLevel = "warn"
	client := url.URL{Scheme: "http", Host: "127.0.0.1:" + port}
	peer := url.URL{Scheme: "http", Host: "127.0.0.1:" + peerPort}
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		log.Fatal(err)
	}
	select {
	case <-etcd.Server.ReadyNotify():
	case <-time.After(time.Minute):
		log.Fatal("etcd is not ready after a minute")
	}
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "kubectl" {
		os.Args = os.Args[1:]
		os.Exit(cli.Run(kubectl.NewDefaultKubectlCommand()))
	}
	if len(os.Args) < 5 || os.Args[1] != "serve" {
		log.Fatal("usage: kubernetes serve FOLDER ETCD_PORT ETCD_PEER_PORT OPTION…, or kubernetes kubectl ARGUMENT…")
	}
	startEtcd(os.Args[2], os.Args[3], os.Args[4])
	command := app.NewAPIServerCommand()
	command.SetArgs(append(os.Args[5:], "--etcd-servers=http://127.0.0.1:"+os.Args[3]))
	os.Exit(cli.Run(command))
}
