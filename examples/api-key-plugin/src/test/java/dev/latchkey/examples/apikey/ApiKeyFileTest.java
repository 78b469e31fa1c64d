package dev.latchkey.examples.apikey;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.factory.PluginConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiKeyFileTest {

    /** Held here, since the log manager holds loggers weakly. */
    private static final Logger LOG = Logger.getLogger(ApiKeyFile.class.getName());

    @TempDir
    Path directory;

    private final List<LogRecord> logged = new ArrayList<>();
    private final Handler listener = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            logged.add(entry);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private KeyFixture keys;
    private ApiKeyFile file;

    @BeforeEach
    void open() throws IOException {
        keys = KeyFixture.in(directory).write(KeyFixture.ADA_LINE);
        file = ApiKeyFile.open(keys.file());
        LOG.addHandler(listener);
        LOG.setUseParentHandlers(false);
    }

    @AfterEach
    void stopListening() {
        LOG.removeHandler(listener);
        LOG.setUseParentHandlers(true);
    }

    @Test
    void unchangedFile_isReadOnce() {
        assertThat(file.keys()).isSameAs(file.keys());
    }

    @Test
    void addedKey_isKnownAtTheNextRequest() throws IOException {
        keys.write(KeyFixture.ADA_LINE, KeyFixture.line("ada", KeyFixture.ADA_NEW_KEY, ""));
        assertThat(holderOf(KeyFixture.ADA_KEY)).isPresent();
        assertThat(holderOf(KeyFixture.ADA_NEW_KEY)).contains("ada");
    }

    @Test
    void removedKey_isUnknownAtTheNextRequest() throws IOException {
        assertThat(holderOf(KeyFixture.ADA_KEY)).isPresent();
        keys.write("# nobody");
        assertThat(holderOf(KeyFixture.ADA_KEY)).isEmpty();
    }

    @Test
    void fileReplacedByAnotherOfTheSameTimeAndSize_isReadAgain() throws IOException {
        Path other = Files.writeString(
                directory.resolve("new"), KeyFixture.line("eve", KeyFixture.ADA_KEY, "ROLE_USER,SCOPE_read"));
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(keys.file()));
        Files.move(other, keys.file(), StandardCopyOption.REPLACE_EXISTING);
        assertThat(holderOf(KeyFixture.ADA_KEY)).contains("eve");
    }

    @Test
    void malformedNewFile_leavesTheOldKeysWorkingAndIsLoggedOnce() throws IOException {
        keys.write(KeyFixture.line("eve", KeyFixture.ADA_NEW_KEY, ""), "half a li");
        for (int request = 0; request < 3; request++) {
            assertThat(holderOf(KeyFixture.ADA_KEY)).contains("ada");
            assertThat(holderOf(KeyFixture.ADA_NEW_KEY)).isEmpty();
        }
        assertThat(logged).hasSize(1);
        assertThat(String.valueOf(logged.get(0).getParameters()[1]))
                .startsWith("line 2: ")
                .doesNotContain("half");
    }

    @Test
    void repairedFile_isInForceAtTheNextRequest() throws IOException {
        keys.write("half a li");
        assertThat(holderOf(KeyFixture.ADA_KEY)).contains("ada");
        keys.write(KeyFixture.line("ada", KeyFixture.ADA_NEW_KEY, ""));
        assertThat(holderOf(KeyFixture.ADA_NEW_KEY)).contains("ada");
        assertThat(holderOf(KeyFixture.ADA_KEY)).isEmpty();
        assertThat(logged).hasSize(1);
    }

    @Test
    void fileThatIsGone_isAnOutageAndNoKeyOutlivesIt() throws IOException {
        assertThat(holderOf(KeyFixture.ADA_KEY)).isPresent();
        Files.delete(keys.file());
        assertThatThrownBy(file::keys)
                .isInstanceOf(AuthUnavailableException.class)
                .hasMessageContaining(keys.file().getFileName().toString());
    }

    @Test
    void fileThatComesBack_endsTheOutage() throws IOException {
        Files.delete(keys.file());
        assertThatThrownBy(file::keys).isInstanceOf(AuthUnavailableException.class);
        keys.write(KeyFixture.ADA_LINE);
        assertThat(holderOf(KeyFixture.ADA_KEY)).contains("ada");
    }

    @Test
    void directoryInPlaceOfTheFile_isAnOutage() throws IOException {
        Files.delete(keys.file());
        Files.createDirectory(keys.file());
        assertThatThrownBy(file::keys).isInstanceOf(AuthUnavailableException.class);
    }

    @Test
    void malformedFileAtStart_isAnErrorWithTheLine() throws IOException {
        keys.write("# keys", KeyFixture.ADA_LINE, "ada");
        assertThatThrownBy(() -> ApiKeyFile.open(keys.file()))
                .isInstanceOf(PluginConfigException.class)
                .hasMessageContaining("line 3: ");
    }

    @Test
    void fileOfTheLargestSize_isRead() throws IOException {
        keys.write(("#" + " ".repeat(ApiKeyFile.MAX_BYTES - 1)).getBytes(UTF_8));
        assertThat(ApiKeyFile.open(keys.file()).keys().size()).isZero();
    }

    @Test
    void fileOfOneByteMore_isRefused() throws IOException {
        keys.write(("#" + " ".repeat(ApiKeyFile.MAX_BYTES)).getBytes(UTF_8));
        assertThatThrownBy(() -> ApiKeyFile.open(keys.file()))
                .isInstanceOf(PluginConfigException.class)
                .hasMessageContaining("1048576 bytes");
    }

    @Test
    void fileThatIsNotUtf8_isRefused() throws IOException {
        keys.write(new byte[] {'a', (byte) 0xFF});
        assertThatThrownBy(() -> ApiKeyFile.open(keys.file()))
                .isInstanceOf(PluginConfigException.class)
                .hasMessageContaining("not UTF-8");
    }

    private Optional<String> holderOf(String key) {
        return file.keys().subjectOf(Secret.of(key)).map(Subject::id);
    }
}
