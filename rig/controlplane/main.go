// Command controlplane is a Kubernetes control plane in one executable file.
//
// The first argument picks the part that this process becomes: etcd, apiserver,
// controller-manager, scheduler or kubectl. The remaining arguments are those of
// the real program of that name, unchanged. One more part, "certs DIR", writes the
// keys and certificates that the others need, so that no openssl is needed.
package main

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// parts maps the first argument to a function that runs that part and returns its exit code.
var parts = map[string]func(args []string) int{
	"etcd":               runEtcd,
	"apiserver":          func(args []string) int { return runCommand(apiserver.NewAPIServerCommand(), args) },
	"controller-manager": func(args []string) int { return runCommand(controllermanager.NewControllerManagerCommand(), args) },
	"scheduler":          func(args []string) int { return runCommand(scheduler.NewSchedulerCommand(), args) },
	"kubectl":            runKubectl,
	"certs":              runCerts,
}

func main() {
	if len(os.Args) < 2 {
		os.Exit(usage())
	}
	run, known := parts[os.Args[1]]
	if !known {
		os.Exit(usage())
	}
	os.Exit(run(os.Args[2:]))
}

func usage() int {
	names := make([]string, 0, len(parts))
	for name := range parts {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Fprintf(os.Stderr, "usage: controlplane PART [ARGUMENT...]\nparts: %s\n", strings.Join(names, ", "))
	return 2
}

// runEtcd never returns on failure: etcd ends the process itself.
func runEtcd(args []string) int {
	etcdmain.Main(append([]string{"etcd"}, args...))
	return 0
}

func runCommand(command *cobra.Command, args []string) int {
	command.SetArgs(args)
	return cli.Run(command)
}

// runKubectl hides the part's name from os.Args, which kubectl reads itself for its plugins.
func runKubectl(args []string) int {
	os.Args = append([]string{"kubectl"}, args...)
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
	}
	return 0
}

func runCerts(args []string) int {
	if len(args) != 1 {
		fmt.Fprintln(os.Stderr, "usage: controlplane certs DIR")
		return 2
	}
	if err := writeCertificates(args[0]); err != nil {
		fmt.Fprintf(os.Stderr, "controlplane certs: %v\n", err)
		return 1
	}
	return 0
}
