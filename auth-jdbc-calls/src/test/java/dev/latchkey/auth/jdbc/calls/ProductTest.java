package dev.latchkey.auth.jdbc.calls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProductTest {

    /** A number for MySQL, and for MariaDB before version 12; a word for MariaDB 12. */
    @ParameterizedTest
    @ValueSource(strings = {"0 0", "OFF 0", "OFF OFF"})
    void serverWithBothVariablesOff_acceptsChanges(String variables) {
        assertThat(Product.areOff(variables)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 0", "0 1", "ON 0", "NO_LOCK 0", "NO_LOCK_NO_ADMIN 0", "OFF ON", "", "0", "0 0 0"})
    void anyOtherServer_acceptsNone(String variables) {
        assertThat(Product.areOff(variables)).isFalse();
    }
}
