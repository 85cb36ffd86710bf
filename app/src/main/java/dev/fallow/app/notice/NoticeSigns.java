package dev.fallow.app.notice;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** How it shows that owners are told, or are not. */
public interface NoticeSigns {

  void delivery(List<Address> to, Message message, Delivery delivery);

  /** There is nobody to tell, so the workload is never paused. */
  void nobody(ObjectId workload);

  /** Somebody wrote an address that cannot be read. */
  void unreadable(String sentence);

  /**
   * An owner was told, and is told anew because nobody looked for too long.
   *
   * @param every how often somebody has to look at the least
   */
  default void lostSightOf(ObjectId workload, Instant told, Duration every) {}

  NoticeSigns NONE =
      new NoticeSigns() {
        @Override
        public void delivery(List<Address> to, Message message, Delivery delivery) {}

        @Override
        public void nobody(ObjectId workload) {}

        @Override
        public void unreadable(String sentence) {}
      };
}
