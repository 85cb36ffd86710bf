package dev.fallow.adapters.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresAddressTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgres://me:p%40ss+w@db:5433/fallow?sslmode=require",
        "postgresql://me:p@ss+w@db:5433/fallow?sslmode=require",
        "jdbc:postgresql://db:5433/fallow?user=me&password=p%40ss+w&sslmode=require",
      })
  void theSecretIsTakenOutOfEveryFormOfAddress(String text) {
    PostgresAddress address = PostgresAddress.parse(text);

    assertThat(address.url()).isEqualTo("jdbc:postgresql://db:5433/fallow?sslmode=require");
    assertThat(address).hasToString("postgresql://db:5433/fallow");
    assertThat(address.properties().getProperty("user")).isEqualTo("me");
    assertThat(address.properties().getProperty("password")).isEqualTo("p@ss+w");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://me:hunter2@db",
        "postgresql://me:hunter2@db/",
        "postgresql:me:hunter2",
        "postgresql://me:hunter2%zz@db/x",
        "postgresql://me:hunter2?x@db/x",
        "mysql://me:hunter2@db/x",
        "jdbc:mysql://me:hunter2@db/x",
        "host=db user=me password=hunter2 dbname=x",
      })
  void whatCannotBeReadIsRefusedWithoutBeingRepeated(String text) {
    assertThatThrownBy(() -> SqlLedger.at(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("postgresql://")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void aDriverThatRepeatsThePasswordIsNotRepeated() {
    PostgresAddress address = PostgresAddress.parse("postgresql://me:hunter2@db/x");
    SQLException chatty = new SQLException("no", new IllegalStateException("tried hunter2"));

    assertThat(address.withoutSecrets("tried hunter2 in vain")).isEqualTo("tried *** in vain");
    assertThat(address.tellsSecrets(chatty)).isTrue();
    assertThat(address.tellsSecrets(new SQLException("no"))).isFalse();
  }
}
