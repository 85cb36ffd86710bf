package dev.fallow.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.server.Rejected;
import dev.fallow.server.Request;
import dev.fallow.server.access.Caller;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenDoorTest {

  private static Caller caller(String host) {
    return new OpenDoor("me")
        .caller(Request.of("GET", URI.create("/"), Map.of("Host", host), new byte[0]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:8080", "127.0.0.1:8080", "[::1]:8080", "localhost"})
  void whoeverIsOnThisMachineMayComeIn(String host) {
    assertThat(caller(host).name()).isEqualTo("me");
  }

  /** A name that its owner makes lead to 127.0.0.1 brings the owner's page along. */
  @ParameterizedTest
  @ValueSource(strings = {"evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example"})
  void anotherHostsPageMayNot(String host) {
    assertThatThrownBy(() -> caller(host)).isInstanceOf(Rejected.class);
  }
}
