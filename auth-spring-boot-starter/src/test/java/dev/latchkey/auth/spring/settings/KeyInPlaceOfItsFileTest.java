package dev.latchkey.auth.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.Services;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a key was written in place of the name of its file, the message that says so must not pass it on to the log. */
class KeyInPlaceOfItsFileTest {

    @ParameterizedTest
    @CsvSource({
        "latchkey.jwt.secret-file, latchkey.login.enabled=true",
        "latchkey.jwt.verifying-secret-files, latchkey.jwt.secret=" + Services.KEY,
        "latchkey.password.pepper-file, latchkey.password.pepper-id=new"
    })
    void start_ends_andNamesThePropertyAlone(String property, String other) {
        Services.web()
                .withPropertyValues("latchkey.password.encoding=bcrypt:cost=10", other, property + "=" + Services.KEY)
                .run(
                        context -> assertThat(context)
                                .getFailure()
                                .rootCause()
                                .isInstanceOf(LatchkeyConfigurationException.class)
                                .hasMessage(
                                        property
                                                + ": the file cannot be read: java.nio.file.NoSuchFileException, and its name may be the key itself"));
    }
}
