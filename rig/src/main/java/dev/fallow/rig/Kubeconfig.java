package dev.fallow.rig;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The text of a kubeconfig file that needs no other file.
 *
 * @param authority the certificate authority in PEM
 */
record Kubeconfig(URI server, String authority, String user, String token) {
  String yaml() {
    String authorityData =
        Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.UTF_8));
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: rig
      cluster:
        server: %1$s
        certificate-authority-data: %2$s
    users:
    - name: %3$s
      user:
        token: %4$s
    contexts:
    - name: rig
      context:
        cluster: rig
        user: %3$s
        namespace: default
    current-context: rig
    """
        .formatted(server, authorityData, Json.quote(user), token);
  }
}
