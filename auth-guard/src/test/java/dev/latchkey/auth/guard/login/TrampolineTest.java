package dev.latchkey.auth.guard.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class TrampolineTest {

    private static final int BROKEN = -1;

    private final List<Integer> ran = new ArrayList<>();
    private final Trampoline<Integer> trampoline = new Trampoline<>(this::act);
    private int depth;
    private int deepest;

    private void act(int number) {
        depth++;
        deepest = Math.max(deepest, depth);
        try {
            if (number == BROKEN) {
                throw new IllegalStateException("broken");
            }
            ran.add(number);
            if (number > 0) {
                trampoline.run(List.of(number - 1));
            }
        } finally {
            depth--;
        }
    }

    @Test
    void entries_runInOrder_andTheirNewEntriesAfterwards() {
        trampoline.run(List.of(2, 0, 1));
        assertThat(ran).containsExactly(2, 0, 1, 1, 0, 0);
        assertThat(deepest).isEqualTo(1);
    }

    @Test
    void nothingToRun_isNothing() {
        trampoline.run(List.of());
        trampoline.run(List.of(0));
        assertThat(ran).containsExactly(0);
    }

    @Test
    void failingEntry_stopsNoOtherEntry() {
        assertThatThrownBy(() -> trampoline.run(List.of(0, BROKEN, 1, BROKEN)))
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("broken");
        assertThat(ran).containsExactly(0, 1, 0);
        trampoline.run(List.of(0));
        assertThat(ran).containsExactly(0, 1, 0, 0);
    }
}
