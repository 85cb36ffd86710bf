package dev.fallow.server.certificate;

import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What several replicas serve with, as it lies in their common Secret: the certificate, its key,
 * and the authorities that callers have to trust. Where the authority's own key is absent, somebody
 * else sees to the Secret, and it is used as it is.
 *
 * @param authorities the one that signed the certificate first; one that was replaced stays until
 *     it ends, since a replica may still serve with what it signed
 */
public record ServingSecret(
    Credential serving, List<X509Certificate> authorities, Optional<PrivateKey> authorityKey) {

  private static final Duration AUTHORITY_VALIDITY = Duration.ofDays(3650);
  private static final Duration SERVING_VALIDITY = Duration.ofDays(365);
  private static final String AUTHORITY = "fallow-metrics-ca";

  public ServingSecret {
    authorities = List.copyOf(authorities);
  }

  /** The Secret's texts by their keys, if they hold what is needed. */
  public static Optional<ServingSecret> read(Map<String, String> data) {
    List<X509Certificate> serving = Pem.certificates(data.getOrDefault("tls.crt", ""));
    List<X509Certificate> authorities = Pem.certificates(data.getOrDefault("ca.crt", ""));
    Optional<PrivateKey> key = Pem.key(data.getOrDefault("tls.key", ""));
    return serving.isEmpty() || authorities.isEmpty() || key.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ServingSecret(
                new Credential(serving.getFirst(), key.get()),
                authorities,
                Pem.key(data.getOrDefault("ca.key", ""))));
  }

  public Map<String, String> data() {
    Map<String, String> data = new LinkedHashMap<>();
    data.put("tls.crt", Pem.of(serving.certificate()));
    data.put("tls.key", Pem.of(serving.key()));
    data.put("ca.crt", bundle());
    authorityKey.ifPresent(key -> data.put("ca.key", Pem.of(key)));
    return data;
  }

  /** The authorities as one text, for whoever has to trust this server. */
  public String bundle() {
    return authorities.stream().map(Pem::of).collect(Collectors.joining());
  }

  public static ServingSecret create(List<String> hosts, Instant now) {
    return of(Credential.authority(AUTHORITY, now, AUTHORITY_VALIDITY), List.of(), hosts, now);
  }

  private static ServingSecret of(
      Credential authority, List<X509Certificate> before, List<String> hosts, Instant now) {
    List<X509Certificate> all = new ArrayList<>(List.of(authority.certificate()));
    all.addAll(before);
    return new ServingSecret(
        authority.server(hosts, now, SERVING_VALIDITY), all, Optional.of(authority.key()));
  }

  /**
   * What takes its place, if it is time: a third of its life before it ends, or when the server has
   * got another name. An authority is replaced long before it ends, too.
   */
  public Optional<ServingSecret> successor(List<String> hosts, Instant now) {
    if (authorityKey.isEmpty()) {
      return Optional.empty();
    }
    Credential authority = new Credential(authorities.getFirst(), authorityKey.get());
    List<X509Certificate> before =
        authorities.subList(1, authorities.size()).stream()
            .filter(one -> now.isBefore(one.getNotAfter().toInstant()))
            .toList();
    if (isAging(authority.certificate(), now)) {
      List<X509Certificate> stillTrusted = new ArrayList<>();
      if (now.isBefore(authority.certificate().getNotAfter().toInstant())) {
        stillTrusted.add(authority.certificate());
      }
      stillTrusted.addAll(before);
      return Optional.of(
          of(Credential.authority(AUTHORITY, now, AUTHORITY_VALIDITY), stillTrusted, hosts, now));
    }
    return isAging(serving.certificate(), now) || !names(serving.certificate()).containsAll(hosts)
        ? Optional.of(of(authority, before, hosts, now))
        : Optional.empty();
  }

  private static boolean isAging(X509Certificate certificate, Instant now) {
    Instant from = certificate.getNotBefore().toInstant();
    Instant until = certificate.getNotAfter().toInstant();
    return now.isAfter(until.minus(Duration.between(from, until).dividedBy(3)));
  }

  private static List<String> names(X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names == null
          ? List.of()
          : names.stream().map(name -> String.valueOf(name.get(1))).toList();
    } catch (CertificateParsingException unreadable) {
      return List.of();
    }
  }

  /** Without the keys. */
  @Override
  public String toString() {
    return serving + " until " + serving.certificate().getNotAfter().toInstant();
  }
}
