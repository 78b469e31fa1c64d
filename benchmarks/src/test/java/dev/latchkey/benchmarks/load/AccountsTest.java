package dev.latchkey.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AccountsTest {

    @Test
    void accounts_areAllDifferent_andShareThePoolInTurn() {
        assertThat(LongStream.range(0, 1_000).mapToObj(Accounts::name)).doesNotHaveDuplicates();
        assertThat(Accounts.name(0)).isEqualTo("user-0-0");
        assertThat(Accounts.name(Accounts.POOL + 3)).isEqualTo("user-1-3");
    }

    @Test
    void password_isThatOfTheHash() {
        assertThat(Accounts.password("user-17-3")).isEqualTo(Accounts.password(3));
    }

    @Test
    void addresses_areAllDifferent() {
        assertThat(LongStream.range(0, 100_000).mapToObj(Addresses::of))
                .doesNotHaveDuplicates()
                .startsWith("10.0.0.0", "10.0.0.1");
    }
}
