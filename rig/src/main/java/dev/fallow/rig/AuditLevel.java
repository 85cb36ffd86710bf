package dev.fallow.rig;

/** How much the API server writes down of each request. */
public enum AuditLevel {
  NONE("- level: None"),
  /** Who asked for what and what the answer's status was. */
  METADATA("- level: Metadata"),
  /** Also the request's body. */
  REQUEST("- level: Request"),
  /** Also the answer's body: large. */
  REQUEST_RESPONSE("- level: RequestResponse"),
  /**
   * Bodies and answers of what changes objects, and of reads who asked: all that is needed to
   * follow each object through its revisions. The long definitions of custom kinds are left out.
   */
  WRITES(
      """
      - level: Metadata
        resources: [{group: apiextensions.k8s.io}]
      - level: RequestResponse
        verbs: [create, update, patch, delete, deletecollection]
      - level: Metadata\
      """);

  private final String rules;

  AuditLevel(String rules) {
    this.rules = rules;
  }

  /** A policy that records every request at this level. */
  String policy() {
    return """
    apiVersion: audit.k8s.io/v1
    kind: Policy
    omitStages: [RequestReceived]
    rules:
    %s
    """
        .formatted(rules);
  }
}
