package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A service that creates its beans late learns of mistakes at the start all the same. */
class LazyInitializationTest {

    private static final String LAZY = "--spring.main.lazy-initialization=true";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "latchkey.permissions.features=true | does not name features",
                "latchkey.password.pepper=x | latchkey.password.pepper",
                "latchkey.store=jdbc | latchkey.store is jdbc"
            })
    void mistake_stopsTheStart(String setting, String said) {
        assertThatThrownBy(() -> start(setting).close()).hasStackTraceContaining(said);
    }

    @Test
    void service_startsAndAnswers() throws Exception {
        try (GuardServer server = start("latchkey.login.enabled=true")) {
            assertThat(server.get("/hello", "ann", "right").statusCode()).isEqualTo(200);
            assertThat(server.login("ann", "right").join().statusCode()).isEqualTo(200);
        }
    }

    private static GuardServer start(String setting) {
        return GuardServer.start(
                GuardServerVariantsTest.Service.class,
                LAZY,
                "--latchkey.plugins=users,jwt",
                "--latchkey.jwt.secret=" + Services.KEY,
                GuardServer.NO_RESOURCE_SERVER,
                "--" + setting);
    }
}
