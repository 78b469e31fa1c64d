package dev.latchkey.auth.client.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.core.SpringVersion;

/** The tests run on the Spring that they are said to run on: the build runs them on the older one, and again on the newer. */
class SpringVersionTest {

    @Test
    void spring_isOfTheVersionThatTheBuildNames() {
        assertThat(SpringVersion.getVersion()).startsWith(System.getProperty("spring-framework.version", "6.2."));
    }
}
