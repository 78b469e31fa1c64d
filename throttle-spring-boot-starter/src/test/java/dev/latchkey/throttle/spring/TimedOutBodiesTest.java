package dev.latchkey.throttle.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Throttled bodies at the time-out of asynchronous requests. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("long")
class TimedOutBodiesTest {

    /** The client must not take part of the body for the whole body. */
    @Test
    void bodyThatTimesOut_isCutOff_andTheLogNamesTheSetting(CapturedOutput log) {
        try (ThrottledService service = ThrottledService.start(
                "spring.mvc.async.request-timeout=1500ms",
                "latchkey.throttle.bodies.paths=/bodies/**",
                "latchkey.throttle.bodies.counts=response-bytes",
                "latchkey.throttle.bodies.chunk=4KB",
                "latchkey.throttle.bodies.max-wait=1h",
                "latchkey.throttle.bodies.source.tokens=1",
                "latchkey.throttle.bodies.source.per=1h",
                "latchkey.throttle.bodies.source.burst=12288")) {
            assertThatThrownBy(service.get("/bodies/streaming/50000")::join).hasRootCauseInstanceOf(IOException.class);
            assertThat(service.get("/plain").join().statusCode()).isEqualTo(200);
        }
        assertThat(log).contains("spring.mvc.async.request-timeout");
    }
}
