package dev.fallow.app.web;

import dev.fallow.server.Request;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import java.util.List;

/**
 * For a port that only this machine reaches: whoever is here may do what the program may. A page of
 * somebody else's host, whose name has been made to lead here, is not here.
 */
public record OpenDoor(String name) implements Door {

  private static final OwnHost HERE = OwnHost.loopback();

  @Override
  public Caller caller(Request request) {
    HERE.admit(
        request,
        "without sign-in this port is for localhost; open it as http://localhost, or set"
            + " --dashboard-auth");
    return new Caller(name, List.of(), "none", true);
  }

  @Override
  public boolean sees(Caller caller, String namespace) {
    return true;
  }

  @Override
  public boolean changes(Caller caller, String namespace, String kind, String object) {
    return true;
  }

  @Override
  public List<String> signIn() {
    return List.of();
  }

  @Override
  public String cure() {
    return "";
  }
}
