package dev.fallow.app.settings;

import java.util.List;

/** How people sign in to the dashboard: at an issuer, or through a proxy with a certificate. */
public final class SignInSettings {

  public static final Setting<String> OIDC_ISSUER =
      Setting.of("dashboard-oidc-issuer", "URL", "", "an https address", Parsers::url)
          .saying(
              "Let people sign in at this issuer of OpenID Connect, which the API server trusts as"
                  + " well; wants --dashboard-oidc-client-id and --dashboard-url.");

  public static final Setting<String> OIDC_CLIENT_ID =
      Setting.of("dashboard-oidc-client-id", "ID", "", "any text", String::strip)
          .saying("Who Fallow is to that issuer: the API server's --oidc-client-id.");

  public static final Setting<String> OIDC_CLIENT_SECRET_FILE =
      Setting.of("dashboard-oidc-client-secret-file", "FILE", "", "a file", String::strip)
          .saying("The secret that the issuer gave for it; none for a public client.");

  public static final Setting<List<String>> OIDC_SCOPES =
      Setting.of(
              "dashboard-oidc-scopes",
              "NAMES",
              "email,profile",
              "names with commas",
              Parsers::names)
          .saying("What the issuer is asked for beside openid, such as groups.");

  public static final Setting<String> OIDC_CA_FILE =
      Setting.of("dashboard-oidc-ca-file", "FILE", "", "a file of PEM certificates", String::strip)
          .saying("Certificates to trust for that issuer, besides the system's.");

  public static final Setting<String> PROXY_CA =
      Setting.of("dashboard-proxy-ca", "FILE", "", "a file of PEM certificates", String::strip)
          .saying(
              "The authority of the certificate by which the proxy of --dashboard-auth=proxy is"
                  + " known, instead of a secret; wants --dashboard-proxy-names and"
                  + " --dashboard-tls-cert. Read again when it changes.");

  public static final Setting<List<String>> PROXY_NAMES =
      Setting.of("dashboard-proxy-names", "NAMES", "", "names with commas", Parsers::names)
          .saying("The common names that certificate may have.");

  public static final Setting<String> TLS_CERT =
      Setting.of("dashboard-tls-cert", "FILE", "", "a file of PEM certificates", String::strip)
          .saying(
              "Serve the dashboard's port over TLS with this certificate, and those that lead to"
                  + " its authority after it. Read again when it changes.");

  public static final Setting<String> TLS_KEY =
      Setting.of("dashboard-tls-key", "FILE", "", "a file with a key in PKCS #8", String::strip)
          .saying("The key to that certificate.");

  private SignInSettings() {}

  /** In the order of the reference. */
  public static List<Setting<?>> all() {
    return List.of(
        OIDC_ISSUER,
        OIDC_CLIENT_ID,
        OIDC_CLIENT_SECRET_FILE,
        OIDC_SCOPES,
        OIDC_CA_FILE,
        PROXY_CA,
        PROXY_NAMES,
        TLS_CERT,
        TLS_KEY);
  }
}
