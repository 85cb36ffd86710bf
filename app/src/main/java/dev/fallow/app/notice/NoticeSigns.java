package dev.fallow.app.notice;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import java.util.List;

/** How it shows that owners are told, or are not. */
public interface NoticeSigns {

  void delivery(List<Address> to, Message message, Delivery delivery);

  /** There is nobody to tell, so the workload is never paused. */
  void nobody(ObjectId workload);

  /** Somebody wrote an address that cannot be read. */
  void unreadable(String sentence);

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
