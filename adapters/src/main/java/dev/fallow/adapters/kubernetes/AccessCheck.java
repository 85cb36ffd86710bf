package dev.fallow.adapters.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Asks the API server what this account may do; nothing is stored by asking. */
public final class AccessCheck {

  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ApiServer api;

  public AccessCheck(KubernetesConnection connection) {
    this.api = connection.api();
  }

  /**
   * May I?
   *
   * @param group empty for the core group
   * @param resource such as {@code pods} or {@code services/proxy}
   * @param namespace empty for all of them, or for a resource of the cluster
   * @param name of the one object that is asked about; empty for any
   */
  public record Question(
      String verb, String group, String resource, String namespace, String name) {

    public Question(String verb, String group, String resource, String namespace) {
      this(verb, group, resource, namespace, "");
    }

    /** {@code list deployments.apps in ml}. */
    @Override
    public String toString() {
      return verb
          + " "
          + resource
          + (group.isEmpty() ? "" : "." + group)
          + (name.isEmpty() ? "" : " " + name)
          + (namespace.isEmpty() ? "" : " in " + namespace);
    }

    private Map<String, String> attributes() {
      int slash = resource.indexOf('/');
      return Map.of(
          "verb", verb,
          "group", group,
          "resource", slash < 0 ? resource : resource.substring(0, slash),
          "subresource", slash < 0 ? "" : resource.substring(slash + 1),
          "namespace", namespace,
          "name", name);
    }
  }

  /**
   * @param reason the server's words, often none
   */
  public record Answer(Question question, boolean allowed, String reason) {}

  /**
   * One request per question.
   *
   * @throws Unavailable when the server does not answer
   */
  public List<Answer> ask(List<Question> questions) {
    List<Answer> answers = new ArrayList<>(questions.size());
    for (Question question : questions) {
      ObjectTree status = review(question).tree("status");
      answers.add(new Answer(question, status.isTrue("allowed"), status.textOr("", "reason")));
    }
    return answers;
  }

  private ObjectTree review(Question question) {
    try (ApiReply reply =
        ApiServer.orRefuse(api.post(REVIEWS, ApiServer.JSON, ApiServer.JSON, body(question)))) {
      return ObjectParser.object(reply.body(), Projection.of("status"));
    } catch (ApiRefusal refusal) {
      throw refusal.unavailable();
    } catch (IOException broken) {
      throw api.brokenOff(broken);
    }
  }

  private static String body(Question question) throws JsonProcessingException {
    return JSON.writeValueAsString(
        Map.of(
            "apiVersion", "authorization.k8s.io/v1",
            "kind", "SelfSubjectAccessReview",
            "spec", Map.of("resourceAttributes", question.attributes())));
  }
}
