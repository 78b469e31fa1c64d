package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The text of a row tells what is there, and no value. */
class StoredCodesTest {

    @Test
    void text_namesWhatIsThere_andNoValue() {
        assertThat(StoredCodes.none()).hasToString("StoredCodes[enrolled=false, pending=false, recovery=0, devices=0]");
        StoredCodes full = new StoredCodes(
                "s3cret-1", "s3cret-2", 7, List.of("s3cret-3"), List.of("s3cret-4", "s3cret-5"), "s3cret-6", 8, 1);
        assertThat(full).hasToString("StoredCodes[enrolled=true, pending=true, recovery=1, devices=2]");
    }
}
