package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectTree;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whose a namespace is, by its RoleBindings: people whose user name is an e-mail address and who
 * administer or edit there. Administrators come first.
 */
public final class NamespaceOwners {

  private static final Pattern EMAIL = Pattern.compile("[!-?A-~]{1,64}@[A-Za-z0-9.-]{1,180}");
  private static final int MOST = 5;

  private final ApiServer api;

  public NamespaceOwners(KubernetesConnection connection) {
    this.api = connection.api();
  }

  /** Their e-mail addresses, a few at most; none where this account may not look. */
  public List<String> emailsOf(String namespace) {
    String path =
        "/apis/rbac.authorization.k8s.io/v1/namespaces/" + namespace + "/rolebindings?limit=500";
    try (ApiReply reply = ApiServer.orRefuse(api.get(path, ApiServer.JSON))) {
      return Json.read(reply.text()).map(NamespaceOwners::of).orElse(List.of());
    } catch (ApiRefusal | Unavailable cannotLook) {
      return List.of();
    }
  }

  static List<String> of(ObjectTree bindings) {
    return bindings.list("items").stream()
        .filter(binding -> rank(role(binding)) < 2)
        .sorted(Comparator.comparingInt(binding -> rank(role(binding))))
        .flatMap(NamespaceOwners::people)
        .filter(name -> EMAIL.matcher(name).matches())
        .distinct()
        .limit(MOST)
        .toList();
  }

  private static String role(ObjectTree binding) {
    return binding.textOr("", "roleRef", "name").toLowerCase(Locale.ROOT);
  }

  /** By the names of the roles that come with Kubernetes, and of those made after them. */
  private static int rank(String role) {
    if (role.equals("admin") || role.endsWith("-admin")) {
      return 0;
    }
    return role.equals("edit") || role.endsWith("-edit") ? 1 : 2;
  }

  private static Stream<String> people(ObjectTree binding) {
    return binding.list("subjects").stream()
        .filter(subject -> subject.textOr("", "kind").equals("User"))
        .map(subject -> subject.textOr("", "name"));
  }
}
