package dev.fallow.core.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeviceIdTest {

  private static List<String> forms(DeviceId... ids) {
    return Stream.of(ids).map(DeviceId::form).distinct().toList();
  }

  private static DeviceId card(String name) {
    return new DeviceId("n1", name, "");
  }

  private static DeviceId instance(String name) {
    return new DeviceId("n1", "GPU-1", name);
  }

  /** Two names of one form are two devices; of different forms they may be one. */
  @Test
  void devicesThatOneExporterNamesAreNamedInOneForm() {
    assertThat(forms(card("GPU-1"), card("GPU-2"))).hasSize(1);
    assertThat(forms(card("0"), card("1"), card("0/1"))).hasSize(1);
    assertThat(forms(card("nvidia0"), card("nvidia1"))).hasSize(1);
    assertThat(forms(card("692251001127/0"), card("69KX51001127/1"))).hasSize(1);
    assertThat(forms(instance("1"), instance("13"))).hasSize(1);
    assertThat(forms(instance("1g.10gb"), instance("3g.40gb"))).hasSize(1);
    assertThat(forms(instance("1"), new DeviceId("n1", "GPU-2", "1"))).hasSize(1);
  }

  @Test
  void whatTellsADeviceInAnotherWayIsAnotherForm() {
    assertThat(
            forms(card("72ff740f-0000-1000-804c-3b58bf67050e"), card("0"), card("692251001127/0")))
        .hasSize(3);
    assertThat(forms(instance("7"), new DeviceId("n1", "0", "7")))
        .as("instance 7 of a card by its UUID, and by its number")
        .hasSize(2);
    assertThat(
            forms(
                instance("1"),
                instance("1g.10gb"),
                instance("4f2e9c1a-0000-1000-804c-3b58bf67050e")))
        .hasSize(3);
  }
}
