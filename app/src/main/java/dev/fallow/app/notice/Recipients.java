package dev.fallow.app.notice;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.notice.Address;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Who is told of a workload: whom its annotation names, else whom its namespace's names, else whose
 * that namespace is, else the default.
 *
 * @param owners whose a namespace is, as far as that is known
 * @param mailDomains where mail may go that somebody in a namespace asked for; empty for anywhere
 */
record Recipients(
    List<Address> byDefault, Function<String, List<Address>> owners, List<String> mailDomains) {

  private static final int MOST = 5;

  /**
   * @param wrong what somebody wrote and nobody can read, with its cure
   */
  record Found(List<Address> addresses, List<String> wrong) {}

  Found of(Workload workload, Optional<NamespaceFacts> namespace) {
    return of(
        workload.namespace(), workload.chain().stream().map(OwnerObject::annotations), namespace);
  }

  /**
   * @param written the annotations of the workload's own objects
   */
  Found of(String name, Stream<Map<String, String>> written, Optional<NamespaceFacts> namespace) {
    List<String> wrong = new ArrayList<>();
    Stream<Map<String, String>> places =
        Stream.concat(written, namespace.stream().map(NamespaceFacts::annotations));
    List<Address> addresses =
        places
            .map(annotations -> read(annotations.getOrDefault(Annotations.NOTIFY, ""), wrong))
            .filter(found -> !found.isEmpty())
            .findFirst()
            .orElseGet(() -> ofNobody(name));
    return new Found(addresses, wrong);
  }

  private List<Address> ofNobody(String namespace) {
    List<Address> found = owners.apply(namespace).stream().filter(this::isAllowed).toList();
    return found.isEmpty() ? byDefault : found;
  }

  /** Otherwise anybody who may write an annotation writes mail from the company's server. */
  private boolean isAllowed(Address address) {
    String target = address.target();
    return mailDomains.isEmpty()
        || !address.channel().equals(Address.MAIL)
        || mailDomains.contains(
            target.substring(target.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT));
  }

  private List<Address> read(String text, List<String> wrong) {
    List<Address> addresses = new ArrayList<>();
    Arrays.stream(text.split(","))
        .filter(part -> !part.isBlank())
        .limit(MOST)
        .forEach(part -> {
          switch (Address.parse(part)) {
            case Address.Parsed.Valid valid when isAllowed(valid.address()) ->
                addresses.add(valid.address());
            case Address.Parsed.Valid elsewhere ->
                wrong.add("no mail goes to that domain; see --notify-mail-domains");
            case Address.Parsed.Problem problem -> wrong.add(problem.sentence());
          }
        });
    return addresses;
  }
}
