package dev.latchkey.auth.spring.access;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthorityPermissionsTest {

    @ParameterizedTest
    @CsvSource({
        "order.read, order.read, true",
        "order.*, order.read, true",
        "order.*, order.item.read, true",
        "*, order.read, true",
        "*.read, order.read, true",
        "or*.re*, order.read, true",
        "order.**, order.read, true",
        "order.*, order., true",
        "order.*, order, false",
        "order.*, reorder.read, false",
        "order.*, Order.read, false",
        "order.read, order.readable, false",
        "*.write, order.read, false",
        "order?read, order.read, false",
        "order.[a-z]*, order.read, false",
        "*a*b, xaxbx, false",
        "*a*b, xaxbxb, true",
    })
    void starStandsForAnyText_andAllElseForItself(String authority, String wanted, boolean fits) {
        assertThat(AuthorityPermissions.fits(authority, wanted)).isEqualTo(fits);
    }

    @Test
    void authorityThatFits_grants_andAnyOtherLeavesItToTheOtherPlugins() {
        AuthorityPermissions plugin = new AuthorityPermissions();
        Subject clerk = Subject.of("alice").withAuthorities("ROLE_clerk", "order.*");
        assertThat(plugin.authorize(clerk, new Permission("order", "read"))).isEqualTo(Access.GRANTED);
        assertThat(plugin.authorize(clerk, new Permission("user", "read"))).isEqualTo(Access.ABSTAINED);
        assertThat(plugin.authorize(Subject.of("bob"), new Permission("order", "read")))
                .isEqualTo(Access.ABSTAINED);
    }

    @Test
    void manyStars_takeNoLongTime() {
        String pattern = "*a".repeat(60) + "b";
        String text = "a".repeat(100_000);
        assertTimeoutPreemptively(
                ofSeconds(5),
                () -> assertThat(AuthorityPermissions.fits(pattern, text)).isFalse());
    }
}
