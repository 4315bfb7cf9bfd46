package io.arbitration.platform.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.limits.ByteBudget.Held;
import io.arbitration.platform.limits.ByteBudget.Owner;
import io.arbitration.platform.limits.ByteBudget.Taken;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {

    private static final Owner GREEDY = new Owner("greedy", true);
    private static final Owner MODEST = new Owner("modest", true);
    private static final Owner STRANGER = new Owner("192.0.2.1", false);

    private final ByteBudget budget = new ByteBudget(new ByteBudget.Bounds(100, 60, 20));
    private final List<String> givenUp = new ArrayList<>();

    private Held open(Owner owner, String name) {
        return budget.open(owner, () -> givenUp.add(name));
    }

    @Test
    void whoHasItsShareIsRefusedMore() {
        assertThat(open(GREEDY, "first").take(59)).isEqualTo(Taken.HELD);
        assertThat(budget.isUsedUp(GREEDY)).isFalse();
        assertThat(open(GREEDY, "second").take(2)).isEqualTo(Taken.SHARE_USED_UP);
        assertThat(open(GREEDY, "third").take(1)).isEqualTo(Taken.HELD);
        assertThat(budget.isUsedUp(GREEDY)).isTrue();
        assertThat(open(STRANGER, "page").take(15)).isEqualTo(Taken.HELD);
        assertThat(open(STRANGER, "page").take(6)).isEqualTo(Taken.SHARE_USED_UP);
        assertThat(budget.held()).isEqualTo(75);
        assertThat(givenUp).isEmpty();
    }

    @Test
    void theOnlyThingOfAnOwnerMayBeLargerThanItsShare() {
        assertThat(open(STRANGER, "large").take(90)).isEqualTo(Taken.HELD);
        assertThat(budget.isUsedUp(STRANGER)).isTrue();
    }

    @Test
    void whenAllIsHeldTheLargestOfWhoHoldsMostIsGivenUp() {
        open(GREEDY, "small").take(10);
        Held large = open(GREEDY, "large");
        large.take(50);
        open(MODEST, "modest").take(35);
        assertThat(open(STRANGER, "page").take(15)).isEqualTo(Taken.HELD);
        assertThat(givenUp).containsExactly("large");
        assertThat(large.isClosed()).isTrue();
        assertThat(budget.held()).isEqualTo(60);
    }

    @Test
    void whoHoldsMostIsRefusedWhenAllIsHeldAndWhatIsKeptIsNotGivenUp() {
        Held most = open(GREEDY, "most");
        most.take(55);
        open(MODEST, "modest").take(40);
        assertThat(open(GREEDY, "of the greedy one").take(5)).isEqualTo(Taken.HELD);
        assertThat(open(MODEST, "more").take(10)).isEqualTo(Taken.HELD);
        assertThat(givenUp).containsExactly("most");
        Held kept = open(GREEDY, "kept");
        kept.take(45);
        kept.keep();
        assertThat(open(STRANGER, "page").take(1)).isEqualTo(Taken.HELD);
        assertThat(givenUp).as("the greedy caller's other one").containsExactly("most", "of the greedy one");
    }

    @Test
    void whatMustBeHeldTakesTheRoomOfWhatIsOlderOfTheSameOwner() {
        open(GREEDY, "oldest").take(30);
        open(GREEDY, "older").take(20);
        Held newest = open(GREEDY, "newest");
        newest.takeFirst(25);
        assertThat(givenUp).containsExactly("oldest");
        assertThat(budget.held()).isEqualTo(45);
        open(MODEST, "modest").takeFirst(90);
        assertThat(givenUp).as("of whoever holds less nothing is given up").containsExactly("oldest");
        assertThat(budget.held()).isEqualTo(135);
    }

    @Test
    void whatIsClosedTwiceIsGivenBackOnce() {
        Held one = open(GREEDY, "one");
        one.take(10);
        one.give(4);
        assertThat(budget.held()).isEqualTo(6);
        one.takeOver(4);
        one.close();
        one.close();
        one.give(5);
        one.takeOver(5);
        assertThat(one.take(1)).isEqualTo(Taken.NODE_FULL);
        assertThat(budget.held()).isZero();
        assertThat(budget.isUsedUp(GREEDY)).isFalse();
    }

    /** However many callers an organization makes: others are not given up for them, and they are for others. */
    @Test
    void theCallersOfOneTenantTogetherHaveNoMoreThanIsFreeAndGiveWayToOthers() {
        ByteBudget budget = new ByteBudget(new ByteBudget.Bounds(100, 20, 10));
        List<String> givenUp = new ArrayList<>();
        int held = 0;
        for (int i = 0; i < 10; i++) {
            held += budget.open(new Owner("client " + i, true, "organization"), () -> givenUp.add("client")).take(10) == Taken.HELD ? 10 : 0;
        }
        assertThat(held).isEqualTo(50);
        assertThat(budget.open(new Owner("user 1", true), () -> givenUp.add("user")).take(40)).isEqualTo(Taken.HELD);
        assertThat(budget.open(new Owner("user 2", true), () -> givenUp.add("user")).take(20)).isEqualTo(Taken.HELD);
        assertThat(givenUp).containsExactly("client");
        assertThat(budget.held()).isEqualTo(100);
    }

    /** Whoever has much worked on is refused, and not the others, of whom nothing could be given up. */
    @Test
    void nobodyKeepsMoreThanWhatAllLeaveUnkept() {
        for (Owner each : List.of(GREEDY, MODEST, new Owner("third", true))) {
            while (keeps(each, 5)) {
                continue;
            }
        }
        assertThat(budget.held()).as("50, 25 and 10").isEqualTo(85);
        assertThat(keeps(GREEDY, 1)).isFalse();
        assertThat(keeps(MODEST, 1)).isFalse();
        assertThat(keeps(STRANGER, 12)).isTrue();
        assertThat(givenUp).isEmpty();
    }

    private boolean keeps(Owner owner, long bytes) {
        Held whole = open(owner, "whole");
        if (whole.take(bytes) == Taken.HELD && whole.keep()) {
            return true;
        }
        whole.close();
        return false;
    }

    @Test
    void whatIsKeptIsGivenBackWhenItIsClosed() {
        for (int i = 0; i < 3; i++) {
            Held first = open(GREEDY, "first");
            first.take(50);
            assertThat(first.keep()).isTrue();
            Held second = open(GREEDY, "second");
            second.take(5);
            assertThat(second.keep()).as("beside the first").isFalse();
            first.close();
            assertThat(second.keep()).as("alone").isTrue();
            second.close();
        }
        assertThat(budget.held()).isZero();
    }

    @Test
    void nothingIsGivenUpInVain() {
        open(GREEDY, "greedy").take(30);
        Held kept = open(GREEDY, "kept");
        kept.take(30);
        assertThat(kept.keep()).isTrue();
        Held other = open(MODEST, "other");
        other.take(40);
        assertThat(open(STRANGER, "large").take(85)).as("more than what may be given up").isEqualTo(Taken.NODE_FULL);
        assertThat(givenUp).isEmpty();
        Held shared = open(GREEDY, "shared");
        assertThat(givenUp).isEmpty();
        kept.close();
        shared.take(30);
        shared.heldElsewhere(29);
        assertThat(open(STRANGER, "page").take(10)).isEqualTo(Taken.HELD);
        assertThat(givenUp).as("what others hold as well would not be freed").containsExactly("greedy");
    }
}
