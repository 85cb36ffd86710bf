package dev.fallow.adapters.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A key for localhost and slack.test, made by keytool, that nobody trusts by himself.
 *
 * @param context for a server
 * @param certificate what a client has to be told to trust
 */
record TestCertificates(SSLContext context, Path certificate) {

  private static final String PASSWORD = "changeit";

  static TestCertificates in(Path folder) throws Exception {
    Path store = folder.resolve("store.p12");
    Path certificate = folder.resolve("server.pem");
    keytool(
        store,
        "-genkeypair -alias server -keyalg EC -dname CN=localhost -validity 30 -storetype PKCS12"
            + " -ext san=dns:localhost,dns:slack.test");
    keytool(store, "-exportcert -alias server -rfc -file " + certificate);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return new TestCertificates(context, certificate);
  }

  private static void keytool(Path store, String what) throws Exception {
    Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command = new ArrayList<>(List.of(tool.toString()));
    command.addAll(List.of(what.split(" ")));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    Path log = store.resolveSibling("keytool.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(process.waitFor()).as(() -> "keytool, see " + log).isZero();
  }
}
