Feature: The phases of a plan
  A plan goes through action, strategize, execute and apply. The table of moves
  says what may follow what.

  Scenario Outline: A move that is allowed
    Given a plan that is <before>
    When it is told to <event>
    Then the plan is <after>

    Examples:
      | before                 | event     | after                 |
      | action/queued          | start     | action/processing     |
      | action/processing      | complete  | action/complete       |
      | action/processing      | fail      | action/errored        |
      | action/errored         | retry     | action/queued         |
      | action/complete        | advance   | strategize/queued     |
      | strategize/queued      | start     | strategize/processing |
      | strategize/processing  | complete  | strategize/complete   |
      | strategize/complete    | advance   | execute/queued        |
      | execute/queued         | cancel    | execute/cancelled     |
      | execute/processing     | fail      | execute/errored       |
      | execute/processing     | revert    | strategize/queued     |
      | execute/errored        | revert    | strategize/queued     |
      | execute/complete       | advance   | apply/queued          |
      | apply/queued           | start     | apply/processing      |
      | apply/processing       | constrain | apply/constrained     |
      | apply/constrained      | retry     | apply/queued          |
      | apply/constrained      | revert    | strategize/queued     |
      | apply/processing       | complete  | apply/complete        |
      | apply/complete         | settle    | apply/applied         |

  Scenario Outline: A move that is not allowed
    Given a plan that is <before>
    When it is told to <event>
    Then it is refused because it is not ready
    And the plan is <before>

    Examples:
      | before                | event     |
      | action/queued         | complete  |
      | action/queued         | advance   |
      | action/processing     | start     |
      | action/errored        | start     |
      | action/complete       | revert    |
      | strategize/processing | revert    |
      | execute/processing    | constrain |
      | execute/complete      | settle    |
      | execute/cancelled     | retry     |
      | apply/applied         | revert    |
      | apply/applied         | cancel    |

  Scenario: A plan that does not exist
    When a plan that does not exist is told to start
    Then it is refused because it is unknown
