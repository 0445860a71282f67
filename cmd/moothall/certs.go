package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"moothall/internal/daemon"
)

func newCerts(a *app) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "certs NAME...",
		Short: "Make certificates for processes on several machines (mtls)",
		Long: "Make a certificate for a process that acts as the identities NAME..., signed by the authority in\n" +
			"--dir, which is made at first use. The process gets ca.pem and the two files named after its first\n" +
			"identity; the authority's own key stays where it is.\n\n" +
			"A process that hosts everything but the record acts as everybody who writes there:\n" +
			"  moothall certs hall front chat committee orchestrator gateway broker memory secrets search critic reward\n" +
			"The record's own process:\n" +
			"  moothall certs audit",
		Args: atLeast(1),
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := daemon.IssueCertificate(dir, args)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "Certificate for %v made. In that process's configuration:\n\npeers:\n  tls:\n    ca: %s\n    cert: %s\n    key: %s\n",
				args, files.CA, files.Cert, files.Key)
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "certs", "folder of the authority and its certificates")
	return cmd
}
