package dev.fallow.app.web;

import dev.fallow.server.HttpFront;
import dev.fallow.server.JsonText;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.Router;
import dev.fallow.server.ServingKeys;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** An issuer over real HTTP that keeps to the rules, unless a test has it break one. */
public final class StubIssuer implements AutoCloseable {

  public static final String CLIENT = "fallow";
  public static final String SECRET = "s3cret-of-the-client-0123456789";

  private static final KeyPair KEYS = newKeys();

  private record Grant(String nonce, String challenge, String redirect) {}

  private final HttpFront front;
  private final String host;
  private final InstantSource clock;
  private final Map<String, Grant> codes = new HashMap<>();
  private final CountDownLatch released = new CountDownLatch(1);

  /** What is put into the next token in place of what belongs there. */
  public final Map<String, Object> odd = new HashMap<>();

  /** All that must never be seen anywhere else. */
  final List<String> secrets = new ArrayList<>(List.of(SECRET));

  String ownName = "";
  String answersWith = "";
  boolean hangs;
  boolean isPublic;

  /** Signs with a key that is not among those it names. */
  public boolean signsWrongly;

  int asked;
  private int given;

  /** One without TLS. */
  StubIssuer(InstantSource clock) {
    this.clock = clock;
    host = "http://127.0.0.1:";
    front = HttpFront.start("127.0.0.1", 0, new Router(routes()), defect -> {});
    ownName = name();
  }

  /** One as API servers want it, whose certificate is for {@code localhost}. */
  public StubIssuer(InstantSource clock, ServingKeys keys) {
    this.clock = clock;
    host = "https://localhost:";
    front = HttpFront.start("127.0.0.1", 0, keys, new Router(routes()), defect -> {});
    ownName = name();
  }

  private List<Route> routes() {
    return List.of(
        Route.get("/.well-known/openid-configuration", this::document),
        Route.get("/keys", this::keys),
        Route.of("POST", "/token", this::token));
  }

  public String name() {
    return host + front.port();
  }

  private Reply document(Request request) {
    asked++;
    if (hangs) {
      try {
        released.await();
      } catch (InterruptedException stopping) {
        Thread.currentThread().interrupt();
      }
    }
    if (!answersWith.isEmpty()) {
      return Reply.of(200, "application/json", answersWith);
    }
    return Reply.json(
        200,
        Map.of(
            "issuer", ownName,
            "authorization_endpoint", name() + "/authorize",
            "token_endpoint", name() + "/token",
            "jwks_uri", name() + "/keys",
            "id_token_signing_alg_values_supported", List.of("RS256")));
  }

  private Reply keys(Request request) {
    RSAPublicKey key = (RSAPublicKey) KEYS.getPublic();
    return Reply.json(
        200,
        Map.of(
            "keys",
            List.of(
                Map.of(
                    "kty",
                    "RSA",
                    "use",
                    "sig",
                    "alg",
                    "RS256",
                    "kid",
                    "one",
                    "n",
                    part(key.getModulus().toByteArray()),
                    "e",
                    part(key.getPublicExponent().toByteArray())))));
  }

  /** Somebody signs in at the page to which they were sent: the code that they come back with. */
  public String signsIn(URI sentTo) {
    Map<String, String> asked = fields(sentTo.getRawQuery());
    if (!"code".equals(asked.get("response_type"))
        || !CLIENT.equals(asked.get("client_id"))
        || !"S256".equals(asked.get("code_challenge_method"))) {
      throw new AssertionError("this is no request for a code: " + asked);
    }
    String code = "code-" + ++given + "-of-nobody-else";
    secrets.add(code);
    codes.put(
        code,
        new Grant(
            text(asked, "nonce"), text(asked, "code_challenge"), text(asked, "redirect_uri")));
    return code;
  }

  private Reply token(Request request) {
    Map<String, String> asked = fields(new String(request.body(), StandardCharsets.UTF_8));
    String basic =
        "Basic "
            + Base64.getEncoder()
                .encodeToString((CLIENT + ":" + SECRET).getBytes(StandardCharsets.UTF_8));
    boolean known =
        isPublic
            ? CLIENT.equals(asked.get("client_id"))
            : request.header("Authorization").filter(basic::equals).isPresent();
    if (!known) {
      return Reply.json(401, Map.of("error", "invalid_client"));
    }
    Grant grant = codes.remove(text(asked, "code"));
    if (grant == null
        || !grant.redirect().equals(asked.get("redirect_uri"))
        || !grant.challenge().equals(digest(text(asked, "code_verifier")))) {
      return Reply.json(400, Map.of("error", "invalid_grant"));
    }
    secrets.add(text(asked, "code_verifier"));
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", name());
    claims.put("sub", "alice");
    claims.put("aud", CLIENT);
    claims.put("exp", clock.instant().plus(Duration.ofHours(1)).getEpochSecond());
    claims.put("nonce", grant.nonce());
    claims.putAll(odd);
    String token =
        signed(part("{\"alg\":\"RS256\",\"kid\":\"one\"}") + "." + part(JsonText.of(claims)));
    secrets.add(token);
    return Reply.json(200, Map.of("id_token", token, "token_type", "Bearer"));
  }

  private String signed(String parts) {
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign((signsWrongly ? newKeys() : KEYS).getPrivate());
      signature.update(parts.getBytes(StandardCharsets.US_ASCII));
      return parts + "." + part(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String part(String json) {
    return part(json.getBytes(StandardCharsets.UTF_8));
  }

  private static String part(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String digest(String verifier) {
    try {
      return part(
          MessageDigest.getInstance("SHA-256")
              .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String text(Map<String, String> fields, String name) {
    return fields.getOrDefault(name, "");
  }

  public static Map<String, String> fields(String form) {
    Map<String, String> fields = new HashMap<>();
    for (String pair : form.split("&", -1)) {
      String[] both = pair.split("=", 2);
      fields.put(both[0], URLDecoder.decode(both[1], StandardCharsets.UTF_8));
    }
    return fields;
  }

  @Override
  public void close() {
    released.countDown();
    front.stop(Duration.ZERO);
  }
}
