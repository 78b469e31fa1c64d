package dev.latchkey.benchmarks.load.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ProgramTest {

    @Test
    void port_isReadFromTheLineThatTellsIt_andFromNoOther() {
        assertThat(Program.SUBJECT.port("LISTENING 41234")).isEqualTo(OptionalInt.of(41_234));
        assertThat(Program.PLAIN.port("INFO 1 --- [main] Tomcat started on port 8080 (http) with context path '/'"))
                .isEqualTo(OptionalInt.of(8_080));
        assertThat(Program.PLAIN.port("Tomcat initialized with port 0 (http)")).isEmpty();
    }
}
