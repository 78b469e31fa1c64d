package dev.latchkey.auth.client.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.core.SpringVersion;

/** The build runs these tests on the older and on the newer Spring: each run checks the version. */
class SpringVersionTest {

    @Test
    void spring_isOfTheVersionThatTheBuildNames() {
        assertThat(SpringVersion.getVersion()).startsWith(System.getProperty("spring-framework.version", "6.2."));
    }
}
