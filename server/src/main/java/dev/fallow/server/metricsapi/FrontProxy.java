package dev.fallow.server.metricsapi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.fallow.server.JsonText;
import dev.fallow.server.PercentText;
import dev.fallow.server.Rejected;
import dev.fallow.server.Request;
import dev.fallow.server.certificate.CommonName;
import dev.fallow.server.certificate.Pem;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * How the cluster's API server is known when it asks for somebody else, as its ConfigMap {@code
 * kube-system/extension-apiserver-authentication} says. Its headers count only behind a certificate
 * of its own authority; from anybody else they are nothing. Another proxy can be known in the same
 * way.
 */
public final class FrontProxy {

  private static final String TO_CALL = "1.3.6.1.5.5.7.3.2";
  private static final String FOR_ANYTHING = "2.5.29.37.0";
  private static final int MOST_REMEMBERED = 64;
  private static final JsonFactory JSON = new JsonFactory();

  /** Trusts nobody. */
  public static final FrontProxy NONE = of(Map.of());

  private final Set<X509Certificate> authorities;
  private final List<String> allowedNames;
  private final List<String> userHeaders;
  private final List<String> uidHeaders;
  private final List<String> groupHeaders;
  private final List<String> extraPrefixes;

  /** Signatures take longer to check than all else of a request; the API server shows one. */
  private final Set<X509Certificate> checked = ConcurrentHashMap.newKeySet();

  private FrontProxy(Map<String, String> data) {
    this.authorities =
        Set.copyOf(Pem.certificates(data.getOrDefault("requestheader-client-ca-file", "")));
    this.allowedNames = list(data, "requestheader-allowed-names");
    this.userHeaders = list(data, "requestheader-username-headers");
    this.uidHeaders = list(data, "requestheader-uid-headers");
    this.groupHeaders = list(data, "requestheader-group-headers");
    this.extraPrefixes = list(data, "requestheader-extra-headers-prefix");
  }

  /**
   * @param data of the ConfigMap. What cannot be read in it trusts nobody.
   */
  public static FrontProxy of(Map<String, String> data) {
    try {
      return new FrontProxy(data);
    } catch (IllegalArgumentException unreadable) {
      return NONE;
    }
  }

  /**
   * One that is known by its certificate alone.
   *
   * @param authorities in PEM form
   * @param names one of which it has to bear
   */
  public static FrontProxy of(String authorities, List<String> names) {
    return of(
        Map.of(
            "requestheader-client-ca-file",
            authorities,
            "requestheader-allowed-names",
            JsonText.of(names)));
  }

  /** A list of texts in JSON; an absent one is empty. */
  private static List<String> list(Map<String, String> data, String key) {
    String text = data.getOrDefault(key, "[]");
    List<String> entries = new ArrayList<>();
    try (JsonParser json = JSON.createParser(text)) {
      if (json.nextToken() != JsonToken.START_ARRAY) {
        throw new IllegalArgumentException(key);
      }
      while (json.nextToken() == JsonToken.VALUE_STRING) {
        entries.add(json.getText());
      }
      if (json.currentToken() != JsonToken.END_ARRAY) {
        throw new IllegalArgumentException(key);
      }
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(key, unreadable);
    }
    return entries;
  }

  /** Whether there is anybody to trust. */
  public boolean trustsSomebody() {
    return !authorities.isEmpty();
  }

  /** Whether it is the proxy that asks. */
  public boolean asks(Request request, Instant now) {
    return isBehind(request.peer(), now);
  }

  /** For whom the API server asks, if it is the API server. */
  Optional<Subject> subject(Request request, Instant now) {
    if (!isBehind(request.peer(), now)) {
      return Optional.empty();
    }
    String name = first(request, userHeaders);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    List<String> groups =
        groupHeaders.stream().flatMap(header -> request.headerAll(header).stream()).toList();
    return Optional.of(new Subject(name, first(request, uidHeaders), groups, extra(request)));
  }

  private static String first(Request request, List<String> headers) {
    return headers.stream()
        .flatMap(header -> request.headerAll(header).stream())
        .filter(value -> !value.isEmpty())
        .findFirst()
        .orElse("");
  }

  private Map<String, List<String>> extra(Request request) {
    Map<String, List<String>> extra = new LinkedHashMap<>();
    for (String prefix : extraPrefixes) {
      String lower = prefix.toLowerCase(Locale.ROOT);
      for (String header : request.headerNames()) {
        String name = header.toLowerCase(Locale.ROOT);
        if (name.startsWith(lower)) {
          extra
              .computeIfAbsent(decoded(name.substring(lower.length())), key -> new ArrayList<>())
              .addAll(request.headerAll(header));
        }
      }
    }
    return extra;
  }

  /** A key that is not well encoded stands for itself, as it does to the API server. */
  private static String decoded(String key) {
    try {
      return PercentText.segment(key);
    } catch (Rejected malformed) {
      return key;
    }
  }

  private boolean isBehind(List<X509Certificate> chain, Instant now) {
    if (chain.isEmpty() || authorities.isEmpty()) {
      return false;
    }
    X509Certificate own = chain.getFirst();
    boolean named =
        allowedNames.isEmpty() || CommonName.of(own).filter(allowedNames::contains).isPresent();
    if (!named || !isToCall(own) || isOutOfDate(own, now)) {
      return false;
    }
    // What an authority signs ends with it; and a chain with others in between is looked at each
    // time, since they end, too.
    boolean direct =
        authorities.stream()
            .filter(one -> !isOutOfDate(one, now))
            .anyMatch(one -> one.getSubjectX500Principal().equals(own.getIssuerX500Principal()));
    if (direct && checked.contains(own)) {
      return true;
    }
    boolean signed = isSigned(chain, now);
    if (signed && direct && checked.size() < MOST_REMEMBERED) {
      checked.add(own);
    }
    return signed;
  }

  private static boolean isOutOfDate(X509Certificate certificate, Instant now) {
    return now.isBefore(certificate.getNotBefore().toInstant())
        || now.isAfter(certificate.getNotAfter().toInstant());
  }

  private static boolean isToCall(X509Certificate certificate) {
    try {
      List<String> purposes = certificate.getExtendedKeyUsage();
      return purposes == null || purposes.contains(TO_CALL) || purposes.contains(FOR_ANYTHING);
    } catch (GeneralSecurityException unreadable) {
      return false;
    }
  }

  private boolean isSigned(List<X509Certificate> chain, Instant now) {
    if (chain.getFirst().getBasicConstraints() >= 0) {
      // An authority vouches for callers; it is none.
      return false;
    }
    try {
      X509CertSelector own = new X509CertSelector();
      own.setCertificate(chain.getFirst());
      PKIXBuilderParameters question =
          new PKIXBuilderParameters(
              authorities.stream()
                  .filter(authority -> !isOutOfDate(authority, now))
                  .map(authority -> new TrustAnchor(authority, null))
                  .collect(Collectors.toSet()),
              own);
      question.addCertStore(
          CertStore.getInstance("Collection", new CollectionCertStoreParameters(chain)));
      question.setRevocationEnabled(false);
      question.setDate(Date.from(now));
      CertPathBuilder.getInstance("PKIX").build(question);
      return true;
    } catch (GeneralSecurityException untrusted) {
      return false;
    }
  }
}
