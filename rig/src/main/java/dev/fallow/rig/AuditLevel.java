package dev.fallow.rig;

/** How much the API server writes down of each request. */
public enum AuditLevel {
  NONE("None"),
  /** Who asked for what and what the answer's status was. */
  METADATA("Metadata"),
  /** Also the request's body. */
  REQUEST("Request"),
  /** Also the answer's body: large. */
  REQUEST_RESPONSE("RequestResponse");

  private final String policyName;

  AuditLevel(String policyName) {
    this.policyName = policyName;
  }

  /** A policy that records every request at this level. */
  String policy() {
    return """
    apiVersion: audit.k8s.io/v1
    kind: Policy
    omitStages: [RequestReceived]
    rules:
    - level: %s
    """
        .formatted(policyName);
  }
}
