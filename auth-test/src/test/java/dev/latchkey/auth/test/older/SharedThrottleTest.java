package dev.latchkey.auth.test.older;

import static dev.latchkey.auth.test.MockMvcToken.latchkey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import dev.latchkey.auth.test.AutoConfigureLatchkeyTest;
import dev.latchkey.auth.test.LibraryController;
import dev.latchkey.auth.test.LibrarySecurity;
import dev.latchkey.auth.test.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.MockMvc;

/** A throttle that all nodes of the service share. A test has neither the store of the service nor its key. */
@WebMvcTest(
        controllers = LibraryController.class,
        properties = {
            "latchkey.throttle.api.paths=/me",
            "latchkey.throttle.api.principal.tokens=2",
            "latchkey.throttle.api.principal.per=1h",
            "latchkey.throttle.api.principal.burst=2",
            "latchkey.throttle.api.shared=true",
            "latchkey.guard.shared.secret=file:/run/secrets/that-no-test-has/limits.key"
        })
@AutoConfigureLatchkeyTest
@Import(LibrarySecurity.class)
class SharedThrottleTest {

    @Autowired
    MockMvc mvc;

    @Autowired
    TestClock clock;

    @RepeatedTest(2)
    void rate_isOfThisProcess_andFollowsTheClock() throws Exception {
        assertThat(status()).isEqualTo(200);
        assertThat(status()).isEqualTo(200);
        assertThat(status()).isEqualTo(429);
        clock.advance(Duration.ofMinutes(30));
        assertThat(status()).isEqualTo(200);
        assertThat(status()).isEqualTo(429);
    }

    private int status() throws Exception {
        return mvc.perform(get("/me").with(latchkey()))
                .andReturn()
                .getResponse()
                .getStatus();
    }
}
