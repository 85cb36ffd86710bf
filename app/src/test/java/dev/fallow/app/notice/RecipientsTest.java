package dev.fallow.app.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.app.WrongUse;
import dev.fallow.app.settings.NoticeSettings;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.notice.Address;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who is told, of those whom people in a namespace name. */
class RecipientsTest {

  private static final Address GPUS = new Address(Address.SLACK, "#gpus");
  private static final Address ALICE = new Address(Address.MAIL, "alice@Example.com");
  private static final Address MALLORY = new Address(Address.MAIL, "mallory@outside.test");

  private static Recipients.Found named(String annotation, String... domains) {
    return new Recipients(List.of(GPUS), namespace -> List.of(MALLORY, ALICE), List.of(domains))
        .of("ml", Stream.of(Map.of(Annotations.NOTIFY, annotation)), Optional.empty());
  }

  @Test
  void mailGoesAnywhereUnlessThatIsLimited() {
    assertThat(named("mail:mallory@outside.test").addresses()).containsExactly(MALLORY);
    assertThat(named("").addresses()).containsExactly(MALLORY, ALICE);
  }

  @Test
  void aForeignDomainIsLeftOutAndThatIsSaid() {
    Recipients.Found both =
        named("mail:mallory@outside.test, mail:alice@Example.com,slack:#ml", "example.com");
    assertThat(both.addresses()).containsExactly(ALICE, new Address(Address.SLACK, "#ml"));
    assertThat(both.wrong())
        .singleElement()
        .satisfies(sentence -> assertThat(sentence).contains("--notify-mail-domains"));
    for (String trick :
        List.of(
            "mail:a@outside.test",
            "mail:example.com@outside.test",
            "mail:a@example.com.outside.test",
            "mail:a@notexample.com",
            "mail:a@sub.example.com")) {
      assertThat(named(trick, "example.com").addresses())
          .as("%s: whose the namespace is comes next, by the same rule", trick)
          .containsExactly(ALICE);
    }
  }

  @Test
  void whatIsNoDomainIsRefusedAtTheStart() {
    assertThat(
            Settings.ofFile(Map.of("notify-mail-domains", " Example.com , a.test"), "a test")
                .of(NoticeSettings.NOTIFY_MAIL_DOMAINS))
        .containsExactly("example.com", "a.test");
    assertThatThrownBy(() ->
            Settings.ofFile(Map.of("notify-mail-domains", "@example.com"), "a test")
                .of(NoticeSettings.NOTIFY_MAIL_DOMAINS))
        .isInstanceOf(WrongUse.class);
  }
}
