package dev.fallow.core.savings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.GpuNode;
import dev.fallow.core.savings.PriceBook.Price;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceBookTest {

  private static final String A100 = "NVIDIA A100-SXM4-80GB";

  @Test
  void ownPricesGoBeforeTheDefaultsAndSpotHasItsOwn() {
    PriceBook own = new PriceBook("USD", List.of(new Price("a100", 2.0, 0.9)));
    assertThat(own.perHour(A100)).hasValue(2.0);
    assertThat(own.perHour(A100, true)).hasValue(0.9);
    assertThat(own.perHour("Tesla T4")).hasValue(0.5);
    assertThat(own.perHour("Tesla T4", true)).hasValue(0.2);
    assertThat(own.perHour("Radeon 9")).isEmpty();
  }

  @Test
  void dollarsAreNotTakenForAnotherCurrency() {
    PriceBook euros = new PriceBook("EUR", List.of(new Price("H100", 2.0, 1.0)));
    assertThat(euros.perHour("NVIDIA H100 80GB HBM3")).hasValue(2.0);
    assertThat(euros.perHour(A100)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "NVIDIA A100-*,true",
    "*-80gb,true",
    "nvidia*sxm?*,false",
    "nvidia*sxm*80GB,true",
    "*A100,false",
    "NVIDIA A100-SXM4-80GB*GB,false",
    "*,true",
    "A100,true",
    "A100-SXM5,false"
  })
  void aStarStandsForAnythingAndOtherwiseAPartOfTheNameWillDo(String pattern, boolean covers) {
    PriceBook book = new PriceBook("CHF", List.of(new Price(pattern, 1, 1)));
    assertThat(book.perHour(A100).isPresent()).isEqualTo(covers);
  }

  @Test
  void everyCloudsLabelOfSpareCapacityIsKnown() {
    assertThat(
            List.of(
                Map.of("karpenter.sh/capacity-type", "spot"),
                Map.of("eks.amazonaws.com/capacityType", "SPOT"),
                Map.of("cloud.google.com/gke-spot", "true"),
                Map.of("kubernetes.azure.com/scalesetpriority", "spot")))
        .allMatch(labels -> new GpuNode("n", false, "", Map.of(), labels).spot());
    assertThat(
            List.of(
                Map.<String, String>of(),
                Map.of("karpenter.sh/capacity-type", "on-demand"),
                Map.of("cloud.google.com/gke-spot", "false")))
        .noneMatch(labels -> new GpuNode("n", false, "", Map.of(), labels).spot());
  }
}
