package dev.fallow.app.cases;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Every case of the tree. */
public final class CaseCatalogue {

  private CaseCatalogue() {}

  public static List<CaseBuilder> all() {
    List<CaseBuilder> cases = new ArrayList<>();
    cases.addAll(VerdictCases.all());
    cases.addAll(EvidenceCases.all());
    cases.addAll(OwnerCases.all());
    cases.addAll(PeerBugCases.all());
    cases.addAll(LimitCases.all());
    Set<String> names = new HashSet<>();
    for (CaseBuilder built : cases) {
      if (!names.add(built.name())) {
        throw new IllegalStateException("two cases are called " + built.name());
      }
    }
    return cases;
  }
}
