package dev.latchkey.auth.password;

import dev.latchkey.testsupport.KeptInputs;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class KeptInputsTest {

    @TestFactory
    Stream<DynamicTest> whatSearchesHaveFound_staysMended() {
        return KeptInputs.of(new CoverageFuzzTest());
    }
}
