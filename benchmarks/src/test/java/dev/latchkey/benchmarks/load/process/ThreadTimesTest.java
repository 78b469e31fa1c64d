package dev.latchkey.benchmarks.load.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadTimesTest {

    private static final ThreadTimes EARLIER = new ThreadTimes(Map.of("1", 100L, "2", 50L, "3", 5L));
    private static final ThreadTimes LATER = new ThreadTimes(Map.of("1", 110L, "2", 90L, "4", 7L));

    @Test
    void threadThatBegan_counts_andOneThatEndedDoesNot() {
        assertThat(LATER.since(EARLIER, List.of())).isEqualTo(10 + 40 + 7);
    }

    @Test
    void threadsThatAreLeftOut_doNotCount() {
        assertThat(LATER.since(EARLIER, List.of("2", "3"))).isEqualTo(10 + 7);
    }

    @Test
    void busiestThread_isTheOneThatHadMostMeanwhile_ofThoseAskedAbout() {
        assertThat(LATER.busiestSince(EARLIER, thread -> true)).isEqualTo("2");
        assertThat(LATER.busiestSince(EARLIER, thread -> !thread.equals("2"))).isEqualTo("1");
    }

    @Test
    void timesAreReadFromEachThreadsFolder_andAThreadThatEndsIsSkipped(@TempDir Path tasks) throws IOException {
        Files.writeString(Files.createDirectories(tasks.resolve("17")).resolve("schedstat"), "123456789 4 5\n");
        Files.createDirectories(tasks.resolve("18"));
        assertThat(ThreadTimes.in(tasks)).isEqualTo(new ThreadTimes(Map.of("17", 123_456_789L)));
    }

    @Test
    void processThatIsNotThere_isAnError(@TempDir Path folder) {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> ThreadTimes.in(folder.resolve("none")))
                .withMessageContaining("Linux");
    }
}
