package dev.fallow.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientsTest {

  private static final InetAddress PROXY = InetAddress.getLoopbackAddress();

  private final Clients clients = new Clients(10, 100);

  private long granted(Map<String, List<String>> headers, int asked) {
    return IntStream.range(0, asked).filter(i -> clients.may(PROXY, headers, 0)).count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Authorization", "X-fallow-authorization", "X-forwarded-user", "Cookie"})
  void peopleBehindOneAddressAreToldApart(String header) {
    assertThat(granted(Map.of(header, List.of("alice")), 100)).isEqualTo(40);
    assertThat(granted(Map.of(header, List.of("bob")), 10)).isEqualTo(10);
    assertThat(granted(Map.of(), 100)).as("who says no name").isEqualTo(40);
  }

  @Test
  void namesThatAreMadeUpAreCountedWithTheirAddress() {
    long granted =
        IntStream.range(0, 1_000)
            .filter(i -> clients.may(PROXY, Map.of("Authorization", List.of("Bearer " + i)), 0))
            .count();
    assertThat(granted).isEqualTo(400);
  }
}
