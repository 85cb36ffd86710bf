package dev.fallow.adapters.kubernetes;

import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A bearer token in a file that someone else renews: read anew for each request. */
record TokenFile(Path file) implements OAuthTokenProvider {

  @Override
  public String getToken() {
    return firstLine(file).orElse("");
  }

  static Optional<String> firstLine(Path file) {
    try {
      return Files.readString(file).lines().findFirst().map(String::strip);
    } catch (IOException missing) {
      return Optional.empty();
    }
  }
}
